import { type Call, method, t } from "@plinth/core";
import { getNumber, skippableBlock } from "../block-params.js";
import type { OpenCache } from "../open-cache.js";

/** `admin_logsRepairCache`: writes the cache files up to a block anew. */
export const logsRepairCache = (opened: OpenCache) =>
  method({
    summary: "Writes the log bloom cache anew, up to a block or to the last one.",
    params: { startBlock: skippableBlock },
    result: t.object({ Status: t.text }),
    example: { params: ["100000"], result: { Status: "Started" } },
    handle({ startBlock }, { chain: { blocks }, tasks, clock }: Call) {
      const { generation } = opened.parts;
      const last = getNumber(blocks, startBlock ?? "latest");
      return { Status: generation.repair(last, { tasks, clock }) ? "Started" : "Already running" };
    },
  });
