// Reads a Compose file as `docker compose config --format json` does, through the library that docker compose itself reads
// it with, for machines whose docker has no compose. Usage: compose-config PROJECT_FOLDER
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string) error {
	options, err := cli.NewProjectOptions(
		[]string{filepath.Join(folder, "docker-compose.yml")},
		cli.WithWorkingDirectory(folder),
		cli.WithOsEnv,
		cli.WithEnvFiles(),
		cli.WithDotEnv,
		cli.WithResolvedPaths(true),
	)
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	if project, err = project.WithServicesEnvironmentResolved(true); err != nil {
		return err
	}
	text, err := project.MarshalJSON()
	if err != nil {
		return err
	}
	fmt.Println(string(text))
	return nil
}
