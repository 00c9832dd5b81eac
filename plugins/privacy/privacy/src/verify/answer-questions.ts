import type { Clock, Logger } from "@plinth/core";
import {
  type EnclaveClient,
  EnclaveError,
  EnclaveUnreachable,
  NotOffered,
} from "@plinth/kit-enclave";
import type { GroupStates } from "./group-states.js";

const RETRY_MS = 5000;
/** A manager without queries may be replaced by one that has them. */
const NOT_OFFERED_MS = 10 * 60_000;

/**
 * Responds to queries that nodes of other members send through the manager, until the signal
 * aborts.
 */
export async function answerQuestions(
  {
    enclave,
    states,
    clock,
    log,
  }: {
    readonly enclave: EnclaveClient;
    readonly states: GroupStates;
    readonly clock: Clock;
    readonly log: Logger;
  },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const asked = await nextQuestion(enclave, signal);
      if (asked === undefined) continue;
      await enclave.answerQuestion(asked.id, await states.answer(asked.question, signal));
    } catch (error) {
      const isOffered = !(error instanceof NotOffered);
      const isAway = error instanceof EnclaveUnreachable || error instanceof EnclaveError;
      if (isOffered && !isAway) throw error;
      log.debug("the query of another member failed", { error });
      await clock.sleep(isOffered ? RETRY_MS : NOT_OFFERED_MS, signal);
    }
  }
}

/**
 * The manager holds the request while there are no queries; a stopping node does not wait for it.
 */
async function nextQuestion(enclave: EnclaveClient, signal: AbortSignal) {
  const asking = enclave.nextQuestion();
  return new Promise<Awaited<typeof asking>>((resolve, reject) => {
    const stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
    asking.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
