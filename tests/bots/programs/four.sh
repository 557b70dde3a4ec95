#!/bin/sh
while IFS='"' read -r _ _ id _ _ ask _ _ _ move _; do
  case $ask in act) echo "{\"id\"$id\"move\":\"$move\"}" ;; react) echo "{\"id\"$id\"move\":null}" ;; esac
done
