import { type Logger, type SealedHeader, t } from "@plinth/core";
import { type Hardfork, hardforkOf, withHardfork } from "./hardfork.js";
import { settings } from "./settings.js";

const form = t.object({ config: t.object({ dev: t.optional(settings) }) });

/** Gives the genesis file of a development chain its forks; any other file stays as it is. */
export function chooseHardfork(
  genesis: object,
  on: {
    readonly asked: Hardfork | undefined;
    readonly log: Pick<Logger, "warn">;
    findFirst(): SealedHeader | undefined;
  },
): object | undefined {
  if (!Object.hasOwn(Object(Reflect.get(genesis, "config")), "dev")) return undefined;
  const usual = form.decode(genesis).config.dev?.hardfork;
  const { asked } = on;
  const first = on.findFirst();
  const begun = first && hardforkOf(first);
  if (begun !== undefined && usual !== undefined && begun !== usual && asked === undefined) {
    on.log.warn(
      `The chain in this folder was begun with ${begun} and keeps it; --fresh begins a new one with ${usual}.`,
    );
  }
  return withHardfork(genesis, { asked, usual, first });
}
