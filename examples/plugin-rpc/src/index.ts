import { command, definePlugin, method, option, t } from "@plinth/core";

/** `greeting_say`: greets the caller. */
const say = (word: string) =>
  method({
    summary: "Greets someone.",
    params: { name: t.optional(t.text, "world") },
    result: t.text,
    handle: ({ name }) => `${word}, ${name}!`,
  });

/** `plinth greeting print`: the same on the command line. */
const print = (word: string) =>
  command({
    id: "greeting print",
    summary: "Prints a greeting.",
    flags: { name: option.text({ summary: "Who is greeted.", default: "world" }) },
    uses: {},
    run: ({ flags, io }) => io.write(`${word}, ${flags.name}!`),
  });

export default definePlugin({
  name: "rpc-greeting",
  options: {
    greetingWord: option.text({ summary: "The word to greet with.", default: "Hello" }),
  },
  setup(node) {
    node.rpc.namespace("greeting", { say: say(node.config.greetingWord) });
    node.cli.command(print(node.config.greetingWord));
  },
});
