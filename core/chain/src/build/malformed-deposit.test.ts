import type { Address } from "@plinth/core";
import { createTestNode, DEV_GENESIS, recordLogs, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const DEPOSIT: Address = `0x${"d0".repeat(20)}`;
const WITHDRAWAL: Address = `0x${"d1".repeat(20)}`;
const CONSOLIDATION: Address = `0x${"d2".repeat(20)}`;
/** Logs a `DepositEvent` without any data. */
const LOGS_DEPOSIT =
  "0x7f649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c560006000a1";
const STOPS = "0x00";
const REVERTS = "0x60006000fd";
const malformed = transfer({ to: DEPOSIT, gasLimit: 100_000n });

describe("a transaction with a malformed deposit event", () => {
  it("is set aside, and blocks are built without it", async () => {
    const logs = recordLogs();
    await using test = await start({ withdrawal: STOPS, logs });

    const [header] = await test.mine([malformed]);

    expect(header?.gasUsed).toBe(0n);
    expect(test.node.blocks?.head().number).toBe(1n);
    expect(test.pooled()).toEqual(["a deposit event does not have the layout of EIP-6110"]);
    expect(logs.entries.filter(({ level }) => level === "warn")).toHaveLength(1);
  });

  it("is also set aside if the block cannot be finished for another reason", async () => {
    await using test = await start({ withdrawal: REVERTS, logs: recordLogs() });

    await expect(test.mine([malformed])).rejects.toMatchObject({ rule: "system-call" });

    expect(test.pooled()).toEqual(["a deposit event does not have the layout of EIP-6110"]);
  });
});

async function start({
  withdrawal,
  logs,
}: {
  readonly withdrawal: string;
  readonly logs: ReturnType<typeof recordLogs>;
}) {
  const { config, alloc, ...genesis } = DEV_GENESIS;
  const node = await createTestNode({
    genesis: {
      ...genesis,
      config: {
        ...config,
        shanghaiTime: 0,
        cancunTime: 0,
        pragueTime: 0,
        depositContractAddress: DEPOSIT,
        withdrawalRequestContractAddress: WITHDRAWAL,
        consolidationRequestContractAddress: CONSOLIDATION,
      },
      alloc: {
        ...alloc,
        [DEPOSIT]: { code: LOGS_DEPOSIT },
        [WITHDRAWAL]: { code: withdrawal },
        [CONSOLIDATION]: { code: STOPS },
      },
    },
    options: { devPeriodSeconds: 3600 },
    logs,
  });
  return {
    ...node,
    /** Why each transaction of the pool is set aside. */
    pooled: () => node.node.pool?.entries().map(({ setAside }) => setAside),
  };
}
