import {
  type Address,
  loadCrypto,
  type ProducerHost,
  type ProtocolPeer,
  type SealedHeader,
  systemClock,
  t,
} from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { beforeAll, expect, it } from "vitest";
import { bftSettings } from "../genesis/settings.js";
import { Validator, type ValidatorParts } from "./validator.js";
import { ValidatorPeers } from "./validator-peers.js";

const SELF: Address = `0x${"aa".repeat(20)}`;
const peer = { id: "0x11", enode: { host: "127.0.0.1" } } as unknown as ProtocolPeer;

beforeAll(async () => {
  await loadCrypto();
});

it("accepts a message again after production was stopped and started", async () => {
  let heard = 0;
  const validator = new Validator({
    dialect: {
      engine: "Test",
      kindOf: () => "prepare",
      open: async () => ({ kind: "prepare", height: 1n, author: SELF }),
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
    await new Promise((resolve) => setImmediate(resolve));
    control.abort();
    await done;
  }

  expect(heard).toBe(2);
});

it.each([
  ["a prepare of a validator", "prepare", true, 1024],
  ["a commit of a non-validator", "commit", false, 1024],
  ["a proposal of a non-validator", "proposal", false, 128 * 1024],
  ["a round change of a non-validator", "round-change", false, 128 * 1024],
  ["a proposal of a validator, as the gas limit allows", "proposal", true, 2 ** 20 + 5_000_000],
] as const)("accepts %s up to a size", async (_, kind, isValidator, max) => {
  const validator = new Validator({
    dialect: { engine: "Test", kindOf: () => kind },
    settings: t.object(bftSettings).decode({}),
    source: { after: async () => [] },
    peers: { isOneOf: () => isValidator, heightBegan() {} },
    evidence: { open: async () => {} },
    journal: { open: async () => {} },
    key: { address: SELF },
    log: silentLogs.for("test"),
    metrics: { at() {} },
  } as unknown as ValidatorParts<never, never>);
  expect(validator.takes(peer, 1, 1)).toBe(false);
  const control = new AbortController();
  const done = validator.run(hostUntil(control.signal));
  await new Promise((resolve) => setImmediate(resolve));

  expect([validator.takes(peer, 1, max), validator.takes(peer, 1, max + 1)]).toEqual([true, false]);
  control.abort();
  await done;
});

function hostUntil(signal: AbortSignal): ProducerHost {
  const head = {
    number: 0n,
    hash: "0x00",
    coinbase: SELF,
    gasLimit: 5_000_000n,
  } as unknown as SealedHeader;
  return {
    signal,
    clock: systemClock,
    head: () => head,
    async *heads() {
      yield head;
    },
  } as unknown as ProducerHost;
}
