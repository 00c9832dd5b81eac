import { describe, expect, it } from "vitest";
import { choosePorts, findBasePort } from "./choose-ports.js";

describe("the ports of a network", () => {
  it.each([30_303, 30_302, 30_301, 29_303])(
    "are not derived from %i for separate machines: it conflicts with the peer port",
    async (basePort) => {
      const chosen = choosePorts({ basePort, hosts: ["192.0.2.1", "192.0.2.2"], nodes: 2 });

      await expect(chosen).rejects.toThrow(`'--base-port': ${basePort} gives another listener`);
    },
  );

  it("are all different, up to the last node of the highest base", async () => {
    const ports = await choosePorts({ basePort: 59_000, hosts: [], nodes: 100 });

    const all = ports.flatMap((each) => Object.values(each));
    expect(new Set(all).size).toBe(500);
    expect(Math.max(...all)).toBeLessThan(65_536);
  });

  it("have a base if they are derived from one, and none if free ones were chosen", () => {
    expect(findBasePort([{ rpcPort: 8545, p2pPort: 9545 }])).toBe(8545);
    expect(findBasePort([{ rpcPort: 60_500, p2pPort: 41_234 }])).toBe(0);
    expect(findBasePort([{ rpcPort: 60_500, p2pPort: 61_500 }])).toBe(0);
  });
});
