import { definePlugin, method, RpcError, t } from "@plinth/core";
import { MAX_NOTE_BYTES, Notes } from "./notes.js";
import { NotesSession } from "./notes-session.js";

export default definePlugin({
  name: "notes",
  setup(node) {
    const notes = new Notes(node.storage.table("notes"));
    node.onStart(() => notes.load());
    node.network.protocol({
      name: "notes",
      version: 1,
      length: 1,
      connected: (peer) => new NotesSession(peer, notes),
    });
    node.rpc.namespace("notes", {
      add: method({
        summary: "Stores a note and shares it; false if it is known.",
        params: { text: t.text },
        result: t.boolean,
        handle({ text }) {
          if (Buffer.byteLength(text) > MAX_NOTE_BYTES) {
            throw RpcError.invalidParams(`text: at most ${MAX_NOTE_BYTES} bytes`);
          }
          return notes.add(text);
        },
      }),
      list: method({
        summary: "Lists the notes.",
        result: t.array(t.text),
        handle: () => notes.list(),
      }),
    });
  },
});
