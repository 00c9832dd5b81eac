import type { KeyValueStore, Logger } from "@plinth/core";
import type { StateSettings } from "../flat/open-states.js";
import { readFormat } from "../flat/state-format.js";
import { ProgressLog } from "../store/progress-log.js";
import { CONVERSION_STEPS } from "./conversion-record.js";
import { convertStates, hasOldTries } from "./convert-states.js";

/** Converts the states of a database to the layout that the operator names, or completes an interrupted conversion. */
export async function convertIfWanted(
  store: KeyValueStore,
  { format, ...history }: StateSettings,
  { log, signal }: { readonly log: Pick<Logger, "info">; readonly signal?: AbortSignal },
): Promise<void> {
  const isWanted = format === "BONSAI" && readFormat(store) === "FOREST";
  if (!isWanted && !(await hasOldTries(store))) return;
  const progress = new ProgressLog(log);
  log.info("Converting the states to --data-storage-format=BONSAI");
  await convertStates({
    ...history,
    store,
    signal,
    onProgress: (step, share) =>
      progress.report(() => {
        const index = CONVERSION_STEPS.indexOf(step) + 1;
        const of = `step ${index} of ${CONVERSION_STEPS.length}, ${step}`;
        return `Converting the states: ${of} (${Math.floor(share * 100)} %)`;
      }),
  });
  log.info("The states are converted");
}
