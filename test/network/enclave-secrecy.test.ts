import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { holds, readFolder } from "../support/secret-search.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { EnclaveProcess } from "./enclave-process.js";
import { TcpGate } from "./tcp-gate.js";

const PATIENCE = { timeout: 60_000 };

describe("what two of three managers exchange", () => {
  it("is found nowhere in the clear, and with the third not at all", async () => {
    using folder = temporaryFolder();
    const gates: TcpGate[] = [];
    const wires: Buffer[][] = [];
    const managers = await EnclaveProcess.create(
      folder,
      3,
      "redelivery = true",
      async (_, port) => {
        const gate = await TcpGate.to(port);
        const wire: Buffer[] = [];
        gate.carried = (bytes) => wire.push(Buffer.from(bytes));
        gates.push(gate);
        wires.push(wire);
        return gate.port;
      },
    );
    const [a, b] = managers as [EnclaveProcess, EnclaveProcess];
    const secret = randomBytes(48);
    const payload = `0x${secret.toString("hex")} in plain words`;
    let sealed: string;
    try {
      await Promise.all(managers.map((manager) => manager.start()));
      for (const manager of managers) {
        await expect.poll(() => manager.knows(2), PATIENCE).toBe(true);
      }
      const key = await a.send(payload, [b]);
      expect(await b.receive(key)).toBe(payload);
      sealed = key;
      for (const [path, body] of badRequests(a, payload)) {
        const { status, text } = await a.ask(path, body);
        expect(status, path).toBeGreaterThanOrEqual(400);
        expect(holds(Buffer.from(text), secret), text).toBe(false);
      }
    } finally {
      await Promise.all(managers.map((manager) => manager.stop()));
      await Promise.all(gates.map((gate) => gate[Symbol.asyncDispose]()));
    }

    const folders = await Promise.all(managers.map(({ dataPath }) => readFolder(dataPath)));
    const places = [
      ...folders,
      ...wires.map((wire) => Buffer.concat(wire)),
      ...managers.map(({ output }) => Buffer.from(output)),
    ];
    const secrets = [secret, ...managers.map(({ privateKey }) => privateKey)];
    expect(places.map((place) => secrets.map((one) => holds(place, one)))).toEqual(
      places.map(() => secrets.map(() => false)),
    );
    // The search does find existing data, and the third lacks even the key of the payload.
    const sealedBytes = Buffer.from(sealed, "base64");
    expect(folders.map((content) => holds(content, sealedBytes))).toEqual([true, true, false]);
    const sender = Buffer.from(a.key, "base64");
    expect(wires.map((wire) => holds(Buffer.concat(wire), sender))).toEqual([true, true, true]);
  });
});

/** Requests that contain the secret and are rejected: the errors do not contain it. */
function badRequests(a: EnclaveProcess, text: string): readonly (readonly [string, object])[] {
  const payload = Buffer.from(text).toString("base64");
  const stranger = randomBytes(32).toString("base64");
  return [
    ["/send", { payload, from: a.key, to: [stranger] }],
    ["/send", { payload, from: stranger, to: [a.key] }],
    ["/send", { payload: `${payload}!`, from: a.key, to: [a.key] }],
    ["/send", { payload, from: payload, to: [a.key] }],
    ["/send", { payload, from: a.key, to: [payload] }],
    ["/send", { payload: { payload }, from: a.key, to: [a.key] }],
    ["/send", { payload, from: a.key, privacyGroupId: payload }],
    ["/receive", { key: payload, to: null }],
  ];
}
