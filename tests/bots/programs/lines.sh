#!/bin/sh
# Writes lines without end, none of which is an answer.
exec yes
