import { Command } from "@oclif/core";

class Empty extends Command {
  async run() {
    process.stdout.write("empty\n");
  }
}

export const COMMANDS = { empty: Empty };
