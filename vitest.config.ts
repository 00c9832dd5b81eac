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
    // Left to itself vitest keeps a processor free, which is half of a small machine.
    maxWorkers: "100%",
    projects: [
      {
        resolve,
        ssr: { resolve },
        esbuild,
        test: {
          name: "unit",
          include: ["{core,cli,plugins/*,examples/*}/src/**/*.test.ts"],
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
