#!/bin/sh
# Plays, has a child, and neither ends with its input nor when it is asked to.
trap '' TERM INT HUP
sleep 1000 &
echo $! >>"$PIDS"
echo $$ >>"$PIDS"
sh "$(dirname "$0")/four.sh"
wait
