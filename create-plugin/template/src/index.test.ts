import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestNode, transfer } from "@plinth/testing";
import plugin from "./index.js";

test("greets the world by default", async () => {
  await using node = await createTestNode({ plugins: [plugin] });

  assert.deepEqual(await node.rpc("{{NAMESPACE}}_greet"), { text: "Hello, world!", head: "0x0" });
});

test("reports the length of the chain", async () => {
  await using node = await createTestNode({ plugins: [plugin] });
  await node.mine([transfer()], []);

  assert.deepEqual(await node.rpc("{{NAMESPACE}}_greet", ["Ada"]), {
    text: "Hello, Ada!",
    head: "0x2",
  });
});

test("uses the operator's word, which must not be blank", async () => {
  await using node = await createTestNode({
    plugins: [plugin],
    options: { {{NAMESPACE}}Word: "Salut" },
  });
  const blank = createTestNode({ plugins: [plugin], options: { {{NAMESPACE}}Word: " " } });

  assert.deepEqual(await node.rpc("{{NAMESPACE}}_greet"), { text: "Salut, world!", head: "0x0" });
  await assert.rejects(blank, { code: "OPTION_INVALID" });
});

test("rejects a name that is not a string", async () => {
  await using node = await createTestNode({ plugins: [plugin] });

  await assert.rejects(node.rpc("{{NAMESPACE}}_greet", [7]), { code: -32602 });
});
