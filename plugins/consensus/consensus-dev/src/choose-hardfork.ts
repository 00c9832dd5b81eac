import type { Logger, SealedHeader } from "@plinth/core";
import { HARDFORKS, type Hardfork, hardforkOf, withHardfork } from "./hardfork.js";

/** Sets the forks in the genesis file of a development chain; any other file is unchanged. */
export function chooseHardfork(
  genesis: object,
  on: {
    readonly asked: Hardfork | undefined;
    readonly log: Pick<Logger, "warn">;
    findFirst(): SealedHeader | undefined;
  },
): object | undefined {
  const config = Object(Reflect.get(genesis, "config"));
  if (!Object.hasOwn(config, "dev")) return undefined;
  // An unknown name is rejected with the engine's other settings.
  const usual = HARDFORKS.find((name) => name === Object(config.dev).hardfork);
  const { asked } = on;
  const first = on.findFirst();
  const begun = first && hardforkOf(first);
  if (begun !== undefined && usual !== undefined && begun !== usual && asked === undefined) {
    on.log.warn(
      `The chain in this folder started with ${begun} and keeps it; --fresh starts a new one with ${usual}.`,
    );
  }
  return withHardfork(genesis, { asked, usual, first });
}
