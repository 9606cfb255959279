# A receiver's check with the published Python library: reads {secret, headers, body}, prints the type.
import json
import sys

from standardwebhooks.webhooks import Webhook

given = json.load(sys.stdin)
print(Webhook(given["secret"]).verify(given["body"], given["headers"])["type"], end="")
