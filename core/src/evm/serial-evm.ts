import type { Evm } from "./evm.js";

/** An EVM that is made when it is first needed and works on one run at a time. */
export function serialEvm(create: () => Promise<Evm>): Evm {
  let made: Promise<Evm> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: (evm: Evm) => Promise<T>): Promise<T> => {
    const turn = last.then(async () => {
      made ??= create();
      return run(await made);
    });
    last = turn.catch(() => {});
    return turn;
  };
  return {
    runTransaction: (transaction, on) => inTurn((evm) => evm.runTransaction(transaction, on)),
    runMessage: (message, on) => inTurn((evm) => evm.runMessage(message, on)),
    runSystemCall: (call, on) => inTurn((evm) => evm.runSystemCall(call, on)),
  };
}
