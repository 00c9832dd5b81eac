import { type Address, getCrypto, hexToBytes, loadCrypto, type ProtocolPeer } from "@plinth/core";
import { expect, it } from "vitest";
import { ValidatorPeers } from "./validator-peers.js";

it("reads all messages of validators, and few of others until the next height", async () => {
  await loadCrypto();
  const peerOf = (byte: string) => ({ id: `0x${byte.repeat(64)}` }) as unknown as ProtocolPeer;
  const [validator, stranger] = [peerOf("11"), peerOf("22")];
  const peers = new ValidatorPeers(10);
  peers.add(validator);
  peers.add(stranger);
  const validators: readonly Address[] = [getCrypto().addressOf(hexToBytes(validator.id))];
  const admitted = (peer: ProtocolPeer) =>
    Array.from({ length: 100 }, () => peers.admits(peer, validators)).filter(Boolean).length;

  expect([admitted(validator), admitted(stranger)]).toEqual([100, 16]);
  peers.heightBegan();
  expect(admitted(stranger)).toBe(16);
});
