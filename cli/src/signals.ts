const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Stops on the first signal and exits at once on the second; the returned function removes the
 * handlers.
 */
export function onSignals(
  process: NodeJS.Process,
  actions: { stop(signal: string): void; force(signal: string): void },
): () => void {
  let seen = 0;
  const handle = (signal: string) => {
    seen += 1;
    if (seen === 1) actions.stop(signal);
    else actions.force(signal);
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  return () => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
}
