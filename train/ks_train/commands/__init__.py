"""The `ks` command: a file for each group of subcommands."""
