import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Sources, not builds: nothing has to be built before unit tests run.
const resolve = { conditions: ["source"] };
const esbuild = { target: "es2022" } as const;
const exclude = ["**/node_modules/**", "**/dist/**", "test/architecture/fixtures/**"];

/** Generous, because machines differ: no test is measured by them. */
const AGAINST_HANGING = { testTimeout: 300_000, hookTimeout: 300_000 };

/** Files share the modules of their worker: to load the packages for each of 350 files takes longer than the tests. */
const isolate = false;

export default defineConfig({
  test: {
    // More than there are processors: many tests wait for other processes, timers and disks.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        resolve,
        ssr: { resolve },
        esbuild,
        test: {
          name: "unit",
          include: ["{core/*,cli,kits/*,plugins/*/*,examples/*}/src/**/*.test.ts"],
          exclude,
          isolate,
          ...AGAINST_HANGING,
        },
      },
      {
        resolve,
        ssr: { resolve },
        esbuild,
        test: {
          name: "integration",
          include: ["test/{architecture,clients,conformance,integration,network}/**/*.test.ts"],
          exclude,
          isolate,
          ...AGAINST_HANGING,
        },
      },
    ],
  },
});
