import type { Logger, SealedHeader } from "@plinth/core";
import { HARDFORKS, type Hardfork, hardforkOf, withHardfork } from "./hardfork.js";

/** Gives the genesis file of a development chain its forks; any other file stays as it is. */
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
  // A name that is none is refused with the engine's other settings.
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
