import { type Call, method, t } from "@plinth/core";
import { getNumber, skippableBlock } from "../block-params.js";
import type { OpenCache } from "../open-cache.js";

/** `admin_logsRepairCache`: rewrites the cache files up to a block. */
export const logsRepairCache = (opened: OpenCache) =>
  method({
    summary: "Rewrites the log bloom cache, up to a block or to the last one.",
    params: { startBlock: skippableBlock },
    result: t.object({ Status: t.text }),
    example: { params: ["100000"], result: { Status: "Started" } },
    handle({ startBlock }, { chain: { blocks }, tasks, clock }: Call) {
      const { generation } = opened.parts;
      const last = getNumber(blocks, startBlock ?? "latest");
      return { Status: generation.repair(last, { tasks, clock }) ? "Started" : "Already running" };
    },
  });
