/** Work that takes longer stops for others to have their turn. */
const PIECE_MS = 10;

/** A pause that lets others have their turn, when it is time for that. */
export function giveWay(): () => Promise<void> | undefined {
  let end = performance.now() + PIECE_MS;
  return () => {
    if (performance.now() < end) return undefined;
    return new Promise((done) =>
      setImmediate(() => {
        end = performance.now() + PIECE_MS;
        done();
      }),
    );
  };
}
