#!/bin/sh
# Ends, and leaves a child that holds its output open.
sleep 1000 &
echo $! >>"$PIDS"
exit 3
