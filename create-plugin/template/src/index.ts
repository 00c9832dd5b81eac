import { type Call, definePlugin, method, option, t } from "@plinth/core";

export default definePlugin({
  name: "{{PLUGIN}}",
  options: {
    {{NAMESPACE}}Word: option.text({
      summary: "The word to greet with.",
      default: "Hello",
      validate: (word) => (word.trim() === "" ? "expected a word" : undefined),
    }),
  },
  setup(node) {
    const { {{NAMESPACE}}Word: word } = node.config;
    const calls = node.metrics.counter({ name: "calls", help: "Number of greetings." });

    node.rpc.namespace("{{NAMESPACE}}", {
      greet: method({
        summary: "Greets someone, and reports the length of the chain.",
        params: { name: t.optional(t.text, "world") },
        result: t.object({ text: t.text, head: t.quantity }),
        handle({ name }, { chain }: Call) {
          calls.increment();
          return { text: `${word}, ${name}!`, head: chain.blocks.head().number };
        },
      }),
    });
  },
});
