import { type Call, method, RpcError } from "@plinth/core";
import { diskReport } from "@plinth/plugin-disk-usage/api";
import type { dependencies } from "../dependencies.js";

/** `plinth_disk`: what takes how much space on the disk, its growth and a forecast. */
export const disk = method({
  summary: "Returns what takes how much space on the disk, its growth and a forecast.",
  params: {},
  exactParams: true,
  result: diskReport,
  example: {
    params: [],
    result: {
      dataPath: "/var/lib/plinth",
      groups: [{ group: "blocks", bytes: 52_428_800 }],
      tables: { headers: 20_971_520, bodies: 31_457_280 },
      databaseBytes: 54_525_952,
      totalBytes: 54_530_048,
      freeBytes: 107_374_182_400,
      diskBytes: 214_748_364_800,
      samples: 192,
      growth: {
        seconds: 604_800,
        blocks: 302_400,
        blocksPerDay: 43_200,
        bytesPerDay: 7_340_032,
        bytesPerBlock: 170,
        bytesPerTransaction: 1_200,
      },
      forecast: {
        bytesIn30Days: 274_731_008,
        bytesIn365Days: 2_733_641_728,
        daysLeft: 14_628,
      },
    },
  },
  async handle(_params, { disk: usage }: Call<typeof dependencies>) {
    if (usage !== undefined) return usage.report();
    throw RpcError.methodNotEnabled("the data of this node is in memory");
  },
});
