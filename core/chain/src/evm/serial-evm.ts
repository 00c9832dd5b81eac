import type { Evm } from "@plinth/core/evm";

/** An EVM that is created on first use and runs one job at a time. */
export interface SerialEvm extends Evm {
  /** Creates it now, so that the first run does not wait for it. */
  load(): Promise<void>;
}

/** Jobs run in the order of their calls; one that waits for nothing starts at once. */
export function serialEvm(create: () => Promise<Evm>): SerialEvm {
  let evm: Evm | undefined;
  /** Resolves after the last job; `undefined` if there is none. */
  let last: Promise<void> | undefined;
  const makeAndRun = async <T>(
    earlier: Promise<void> | undefined,
    run: (evm: Evm) => Promise<T>,
  ): Promise<T> => {
    await earlier;
    evm ??= await create();
    return run(evm);
  };
  const inTurn = <T>(run: (evm: Evm) => Promise<T>): Promise<T> => {
    const earlier = last;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = () => {
        if (last === ended) last = undefined;
        resolve();
      };
    });
    // From here on: jobs that this one starts wait for it.
    last = ended;
    let result: Promise<T>;
    try {
      const free = earlier === undefined ? evm : undefined;
      result = free === undefined ? makeAndRun(earlier, run) : run(free);
    } catch (error) {
      result = Promise.reject(error);
    }
    result.then(end, end);
    return result;
  };
  return {
    load: () => inTurn(async () => {}),
    runTransaction: (transaction, on) => inTurn((evm) => evm.runTransaction(transaction, on)),
    runMessage: (message, on) => inTurn((evm) => evm.runMessage(message, on)),
    runSystemCall: (call, on) => inTurn((evm) => evm.runSystemCall(call, on)),
  };
}
