import { definePlugin, option, optional } from "@plinth/core";
import { changeStream } from "@plinth/plugin-changes/api";
import { keepPublishing } from "./keep-publishing.js";

export default definePlugin({
  name: "sink",
  dependencies: { changes: optional(changeStream) },
  options: {
    sinkUrl: option.text({ summary: "Address of a NATS server, such as nats://127.0.0.1:4222." }),
    sinkStream: option.text({
      summary: "Name of its stream, which is created if there is none; also its subject.",
      default: "CHANGES",
      validate: (name) =>
        /^[A-Za-z0-9_-]{1,64}$/.test(name) ? undefined : "expected letters, digits, _ or -",
    }),
  },
  setup({ config, log, onStart }) {
    const { sinkUrl: url, sinkStream: stream } = config;
    if (url === undefined) return;
    onStart(({ changes, clock, tasks }) => {
      if (changes === undefined) throw new Error("--sink-url needs --changes-enabled");
      tasks.run("publishing to NATS", (signal) =>
        keepPublishing(changes, { url, stream }, { clock, log, signal }),
      );
    });
  },
});
