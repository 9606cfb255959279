#!/bin/sh
# Adds Qinbox to the notifications of Proxmox VE (8.3 or newer). On a node, as root:
#   sh add-target.sh https://inbox.example.com/hooks/TOKEN < secret.txt
set -eu
url=$1
secret=$(cat)
encoded() { base64 | tr -d '\n'; }

pvesh create /cluster/notifications/endpoints/webhook --name qinbox --method post --url "$url" \
  --header "name=Content-Type,value=$(printf %s application/json | encoded)" \
  --header "name=Authorization,value=$(printf %s 'Bearer {{ secrets.token }}' | encoded)" \
  --secret "name=token,value=$(printf %s "$secret" | encoded)" \
  --body "$(encoded <"$(dirname "$0")/body.txt")"
pvesh create /cluster/notifications/matchers --name qinbox --target qinbox
