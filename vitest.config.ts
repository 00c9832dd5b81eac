import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Files that `npm test` leaves to the long suites. */
const left = process.env.PLINTH_TEST_LEFT?.split(",").filter((file) => file !== "") ?? [];
const exclude = ["**/node_modules/**", "**/dist/**", "test/architecture/fixtures/**", ...left];

/** Generous, because machines differ: no test is measured by them. */
const AGAINST_HANGING = { testTimeout: 300_000, hookTimeout: 300_000 };

/** Packages as their TypeScript sources: nothing has to be built before a test runs. */
const sources = { resolve: { conditions: ["source"] } };

/** Packages as they were built, which load in a fraction of the time: `npm test` builds first. */
const builds = process.env.PLINTH_TEST_BUILDS === "1";

/** A project whose files import other packages from their builds after `npm test` has built them. */
const project = (
  name: string,
  include: readonly string[],
  { isBuilt }: { readonly isBuilt: boolean },
) => ({
  ...(isBuilt ? {} : { ...sources, ssr: sources }),
  esbuild: { target: "es2022" } as const,
  test: {
    name,
    include: [...include],
    exclude,
    // Files share the modules of their worker: to load the packages for each of 700 files takes longer than the tests.
    isolate: false,
    ...(isBuilt ? { server: { deps: { external: [/\/dist\//] } } } : {}),
    ...AGAINST_HANGING,
  },
});

export default defineConfig({
  test: {
    // More than there are processors: many tests wait for other processes, timers and disks.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      // Their tests use a kit that depends on them, and must not get a second copy of it.
      project("unit-core", ["{core,kits}/*/src/**/*.test.ts"], { isBuilt: false }),
      project("unit", ["{cli,plugins/*/*,plugins/*/*/page,examples/*}/src/**/*.test.ts"], {
        isBuilt: builds,
      }),
      // The walks record which source files run.
      project("architecture", ["test/architecture/**/*.test.ts"], { isBuilt: false }),
      project("integration", ["test/{clients,conformance,integration,network}/**/*.test.ts"], {
        isBuilt: builds,
      }),
    ],
  },
});
