/** Whether a stream shows colors: a terminal that supports them, unless `NO_COLOR` is set. */
export function hasColors(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && stream.hasColors();
}
