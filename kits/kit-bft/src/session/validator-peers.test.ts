import { type Address, getCrypto, hexToBytes, loadCrypto, type ProtocolPeer } from "@plinth/core";
import { expect, it } from "vitest";
import { ValidatorPeers } from "./validator-peers.js";

it("reads all messages of validators, and few of others until the next height", async () => {
  await loadCrypto();
  const peerOf = (byte: string) =>
    ({ id: `0x${byte.repeat(64)}`, enode: { host: "192.0.2.1" } }) as unknown as ProtocolPeer;
  const [validator, stranger] = [peerOf("11"), peerOf("22")];
  const peers = new ValidatorPeers(10);
  peers.add(validator);
  peers.add(stranger);
  const validators: readonly Address[] = [getCrypto().addressOf(hexToBytes(validator.id))];
  const admitted = (peer: ProtocolPeer) =>
    Array.from({ length: 100 }, () => peers.admits(peer, validators)).filter(Boolean).length;

  expect([admitted(validator), admitted(stranger)]).toEqual([100, 16]);
  peers.heightBegan(1000);
  expect(admitted(stranger)).toBe(16);
});

it("reads few messages of one network address, whatever keys it uses and however often it connects", async () => {
  await loadCrypto();
  const peers = new ValidatorPeers(10);
  const admitted = (number: number, host: string) => {
    const peer = {
      id: `0x${number.toString(16).padStart(128, "0")}`,
      enode: { host },
    } as unknown as ProtocolPeer;
    peers.add(peer);
    const count = Array.from({ length: 20 }, () => peers.admits(peer, [])).filter(Boolean).length;
    peers.remove(peer, "tcp-error");
    return count;
  };
  const all = (host: string) => [1, 1, 2, 3, 4, 5].map((number) => admitted(number, host));

  expect(all("192.0.2.1")).toEqual([16, 0, 16, 16, 16, 0]);
  expect(admitted(6, "192.0.2.2")).toBe(16);
  peers.heightBegan(1000);
  expect(admitted(1, "192.0.2.1")).toBe(16);
  peers.heightBegan(1500);
  expect(admitted(1, "192.0.2.1")).toBe(0);
  peers.heightBegan(2000);
  expect(admitted(1, "192.0.2.1")).toBe(16);
});
