import { PeerError } from "@plinth/core";
import { type EthPeer, type EthPeers, RequestFailed } from "@plinth/plugin-protocol-eth/api";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { PeerChoice } from "./peer-choice.js";

function createPeers(...names: readonly string[]) {
  const ended: string[] = [];
  const peers = names.map(
    (id) =>
      ({
        id,
        head: { number: 100n },
        requests: { size: 0, isAwaiting: id !== "answered" },
        peer: { disconnect: (reason: string) => void ended.push(`${id} ${reason}`) },
      }) as unknown as EthPeer,
  );
  const clock = new FakeClock(0);
  const choice = new PeerChoice({ all: () => peers } as unknown as EthPeers, clock);
  const asked: string[] = [];
  /** Sends a request with one behavior for each peer; the last peer is the target. */
  const ask = (...behaviors: readonly (() => Promise<string>)[]) =>
    choice.ask({ height: 1n, target: peers.at(-1) as EthPeer }, (peer) => {
      asked.push(peer.id);
      return behaviors[peers.indexOf(peer)]?.() ?? expect.fail("no behavior");
    });
  return { clock, ask, asked, ended };
}

const never = () => new Promise<string>(() => {});
const answers = async () => "answer";
const fails = () => Promise.reject(new RequestFailed("nothing there"));

describe("a request to any peer", () => {
  it("goes to a second one if the first makes no progress, and to that one first the next time", async () => {
    const { clock, ask, asked } = createPeers("slow", "target");

    const answer = ask(never, answers);
    await clock.advance(2_500);

    expect(await answer).toBe("answer");
    expect(await ask(never, answers)).toBe("answer");
    expect(asked).toEqual(["slow", "target", "target"]);
    await clock.advance(30_000);
    expect(asked).toHaveLength(3);
  });

  it("is completed by the slow one if no other can", async () => {
    const { clock, ask } = createPeers("fails", "slow");

    const answer = ask(fails, () => clock.sleep(4_900).then(() => "late"));
    await clock.advance(4_900);

    expect(await answer).toBe("late");
  });

  it("stays with one whose response has arrived and is being decoded", async () => {
    const { clock, ask, asked } = createPeers("answered", "target");

    const answer = ask(() => clock.sleep(6_000).then(() => "read"), answers);
    await clock.advance(6_000);

    expect(await answer).toBe("read");
    expect(asked).toEqual(["answered"]);
  });

  it("reaches the target before it is abandoned", async () => {
    const { ask, asked } = createPeers("1", "2", "3", "4", "5", "6", "target");

    expect(await ask(fails, fails, fails, fails, fails, fails, answers)).toBe("answer");
    expect(asked).toEqual(["1", "2", "3", "4", "target"]);
  });

  it("ends only the connection of the one that breaks the protocol", async () => {
    const { ask, ended } = createPeers("liar", "target");
    const lies = () => Promise.reject(new PeerError("breach-of-protocol", "no hash"));

    expect(await ask(lies, answers)).toBe("answer");
    expect(ended).toEqual(["liar breach-of-protocol"]);
  });

  it("fails once all have failed, and at once if this node is at fault", async () => {
    const { ask } = createPeers("1", "target");

    await expect(ask(fails, fails)).rejects.toThrow("nothing there");
    const broken = () => Promise.reject(new TypeError("a fault"));
    await expect(ask(broken, broken)).rejects.toThrow(TypeError);
  });
});
