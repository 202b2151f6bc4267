#!/bin/sh
# Writes the secrets of an installation with its own PostgreSQL and Valkey into a new folder, one file each:
#   sh deploy/create-secrets.sh secrets
# compose.cluster.yaml and deploy/kubernetes/overlays/ read them. Containers run as other users, so the files
# may be read by all; the folder may not be entered by others.
set -eu
if [ $# -ne 1 ]; then
  echo "usage: sh $0 FOLDER" >&2
  exit 2
fi
folder=$1
if [ -e "$folder" ]; then
  echo "$folder exists: its secrets are in use, so they are not replaced. Name a new folder." >&2
  exit 1
fi
create_password() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}
postgres=$(create_password)
valkey=$(create_password)
mkdir -m 0700 "$folder"
umask 0222
printf '%s' "$postgres" > "$folder/postgres-password"
printf 'postgres://utility_api:%s@postgres:5432/utility_api' "$postgres" > "$folder/database-url"
printf 'redis://:%s@valkey:6379' "$valkey" > "$folder/redis-url"
# Counts of the current minute and cached results: nothing to store on disk. docs/operate/scaling.md, Memory.
cat > "$folder/valkey.conf" <<END
requirepass $valkey
maxmemory 256mb
maxmemory-policy volatile-ttl
save ""
appendonly no
END
echo "wrote $folder/: postgres-password, database-url, redis-url, valkey.conf"
