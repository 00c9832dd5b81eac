import {
  type Address,
  loadCrypto,
  type ProducerHost,
  type ProtocolPeer,
  type SealedHeader,
  silentLogs,
  systemClock,
  t,
} from "@plinth/core";
import { beforeAll, expect, it } from "vitest";
import { bftSettings } from "./settings.js";
import { Validator, type ValidatorParts } from "./validator.js";
import { ValidatorPeers } from "./validator-peers.js";

const SELF: Address = `0x${"aa".repeat(20)}`;
const peer = { enode: { host: "127.0.0.1" } } as unknown as ProtocolPeer;

beforeAll(async () => {
  await loadCrypto();
});

it("hears a message again after production was stopped and started", async () => {
  let heard = 0;
  const validator = new Validator({
    dialect: {
      engine: "Test",
      decode: () => ({ kind: "prepare", height: 1n, author: SELF }),
    },
    settings: t.object(bftSettings).decode({}),
    source: { after: async () => [] },
    peers: new ValidatorPeers(10),
    evidence: { open: async () => {} },
    journal: { open: async () => {} },
    key: { address: SELF },
    log: silentLogs.for("test"),
    metrics: { at() {}, message: () => heard++ },
  } as unknown as ValidatorParts<never, never>);
  for (const _ of ["first", "second"]) {
    const control = new AbortController();
    const done = validator.run(hostUntil(control.signal));
    validator.received(peer, 1, Uint8Array.of(1));
    validator.received(peer, 1, Uint8Array.of(1));
    control.abort();
    await done;
  }

  expect(heard).toBe(2);
});

function hostUntil(signal: AbortSignal): ProducerHost {
  const head = { number: 0n, hash: "0x00", coinbase: SELF } as unknown as SealedHeader;
  return {
    signal,
    clock: systemClock,
    head: () => head,
    async *heads() {
      yield head;
    },
  } as unknown as ProducerHost;
}
