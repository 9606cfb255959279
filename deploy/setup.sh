#!/bin/sh
# Makes the .env of the stack, readable by you alone, with a secret for everything that needs one: deploy/setup.sh https://qinbox.example.com
# A value that is there is never changed, so that it may be run again, after an upgrade say.
set -eu
umask 077
cd "$(dirname "$0")/.."

case "${1-}" in
  '' | http://?* | https://?*) ;;
  *)
    echo "deploy/setup.sh: give the address that people will open, such as https://qinbox.example.com" >&2
    exit 64
    ;;
esac

draft=.env.draft.$$
trap 'rm -f "$draft" "$draft.new"' EXIT
if [ -e .env ]; then cat .env >"$draft"; else cat .env.example >"$draft"; fi

# 256 bits, in letters and digits that an address, a shell and a file of settings take as they are.
secret() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# Sets NAME to VALUE where it is missing or empty.
set_missing() {
  if grep -q "^$1=." "$draft"; then
    echo "$1 was set before."
    return
  fi
  grep -v "^$1=" "$draft" >"$draft.new" || :
  printf '%s=%s\n' "$1" "$2" >>"$draft.new"
  mv "$draft.new" "$draft"
  echo "$1 is set now."
}

[ -z "${1-}" ] || set_missing PUBLIC_URL "$1"
for name in JWT_SECRET METRICS_TOKEN MONGODB_PASSWORD MONGODB_ADMIN_PASSWORD MONGODB_KEY REDIS_PASSWORD; do
  value=$(secret)
  [ ${#value} -eq 64 ] || {
    echo "deploy/setup.sh: /dev/urandom gave no 32 bytes" >&2
    exit 1
  }
  set_missing "$name" "$value"
done
mv "$draft" .env
echo "Next: docker compose up -d --wait"
