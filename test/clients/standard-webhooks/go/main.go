// A receiver's check with the published Go library: reads {secret, headers, body}, prints the type.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type message struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func check() error {
	var given message
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	webhook, err := standardwebhooks.NewWebhook(given.Secret)
	if err != nil {
		return err
	}
	headers := http.Header{}
	for name, value := range given.Headers {
		headers.Set(name, value)
	}
	if err := webhook.Verify([]byte(given.Body), headers); err != nil {
		return err
	}
	var body struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal([]byte(given.Body), &body); err != nil {
		return err
	}
	fmt.Print(body.Type)
	return nil
}

func main() {
	if err := check(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
