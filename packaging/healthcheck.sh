#!/bin/bash
# Succeeds if the server of this container returns 200 for /ok. The image has no curl, so bash opens the socket.
set -euo pipefail
exec 3<>"/dev/tcp/127.0.0.1/${PORT:-8123}"
printf 'GET %s/ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "${MOUNT_PREFIX:-}" >&3
IFS= read -r -t 2 status <&3
[[ $status == *' 200 '* ]]
