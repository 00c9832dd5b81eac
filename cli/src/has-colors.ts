/** Whether a stream shows colours: a terminal that has them, unless `NO_COLOR` is set. */
export function hasColors(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && stream.hasColors();
}
