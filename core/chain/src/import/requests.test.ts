import type { Hash } from "@plinth/core";
import type { EvmResult, SystemCall } from "@plinth/core/evm";
import { USUAL_RULES } from "@plinth/core/rules";
import { describe, expect, it } from "vitest";
import { collectRequests, type RequestSources, requestsHash } from "./requests.js";

const { contracts } = USUAL_RULES;
const DEPOSIT_TOPIC: Hash = "0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5";

describe("the requests of a block", () => {
  it("have the hash of empty input if there are none", async () => {
    const requests = await collect([], async () => undefined);

    expect(requests).toEqual([]);
    expect(requestsHash(requests)).toBe(
      "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });

  it("come from deposit events and from two contracts, each with its type prefix", async () => {
    const event = { address: contracts.deposit, topics: [DEPOSIT_TOPIC], data: aDeposit() };
    const other = { ...event, address: contracts.withdrawal };

    const requests = await collect([event, other, event], answer);

    expect(requests.map((request) => [request[0], request.length])).toEqual([
      [0, 1 + 2 * 192],
      [1, 2],
      [2, 2],
    ]);
    expect(requests[1]).toEqual(Buffer.of(1, 0x61));
  });

  it("reject a deposit with another layout", async () => {
    const data = aDeposit();
    data[31] = 0;
    const event = { address: contracts.deposit, topics: [DEPOSIT_TOPIC], data };

    await expect(collect([event], answer)).rejects.toMatchObject({
      rule: "deposit-event",
    });
  });

  it("need the contracts of a beacon chain", async () => {
    const sources = { contracts, logs: [], call: async () => undefined, needsContracts: true };

    await expect(collectRequests(sources)).rejects.toMatchObject({
      rule: "system-call",
      message: `there is no contract at ${contracts.withdrawal}`,
    });
  });

  it("reject a contract that fails", async () => {
    const fail = async () => ({
      ...(await answer({ to: "0x", data: new Uint8Array() })),
      ...FAILED,
    });

    await expect(collect([], fail)).rejects.toMatchObject({
      rule: "system-call",
    });
  });
});

const collect = (logs: RequestSources["logs"], call: RequestSources["call"]) =>
  collectRequests({ contracts, logs, call, needsContracts: false });

const FAILED = { outcome: "halted" } as const;

async function answer({ to }: SystemCall): Promise<EvmResult> {
  const returnValue = Uint8Array.of(to === contracts.withdrawal ? 0x61 : 0x62);
  return { outcome: "success", gasUsed: 0n, returnValue, logs: [] };
}

function aDeposit(): Uint8Array {
  const data = new Uint8Array(576);
  const layout = [
    [160, 48],
    [256, 32],
    [320, 8],
    [384, 96],
    [512, 8],
  ] as const;
  for (const [index, [offset, length]] of layout.entries()) {
    new DataView(data.buffer).setUint32(index * 32 + 28, offset);
    new DataView(data.buffer).setUint32(offset + 28, length);
  }
  return data;
}
