//go:build tools

// Names Prometheus's own tool as something that this module needs, so that `go build` finds it in the version of go.mod.
package tools

import _ "github.com/prometheus/prometheus/cmd/promtool"
