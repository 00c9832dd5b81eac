import { PeerError, type ProtocolPeer } from "@plinth/core";
import { expect, it } from "vitest";
import { ValidatorSession } from "./validator-session.js";

const peer = { protocol: { name: "IBF", version: 1 } } as unknown as ProtocolPeer;

it("checks by size whether a message is wanted, and ends the connection for unknown codes", () => {
  const asked: number[] = [];
  const session = new ValidatorSession(peer, [0, 1], {
    takes: (_, code, bytes) => {
      asked.push(code);
      return bytes <= 100;
    },
    received() {},
    ended() {},
  });

  expect([session.takes(0, 100), session.takes(1, 101)]).toEqual([true, false]);
  expect(session.takes(9, 2 ** 24)).toBe(true);
  expect(asked).toEqual([0, 1]);
  expect(() => session.received(9, new Uint8Array())).toThrow(PeerError);
});
