import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The requests of one connection that wait for the response before theirs. */
interface Queue {
  last: ServerResponse;
  waiting: number;
}

/** A connection with so many waiting requests is not read further. */
const MAX_WAITING = 16;

/**
 * Handles pipelined requests of one connection one after another.
 *
 * Responses have to be sent in order anyway; a client that does not read them has at most one
 * response in memory.
 */
export function inSequence(handler: Handler): Handler {
  const queues = new WeakMap<Socket, Queue>();
  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket);
    if (queue === undefined) queues.set(socket, { last: response, waiting: 0 });
    else if (queue.last.closed) queue.last = response;
    else return wait(queue, request, response);
    handler(request, response);
  };

  function wait(queue: Queue, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const previous = queue.last;
    queue.last = response;
    queue.waiting += 1;
    if (queue.waiting === MAX_WAITING) socket.pause();
    previous.once("close", () => {
      if (queue.waiting === MAX_WAITING) socket.resume();
      queue.waiting -= 1;
      if (!socket.destroyed) handler(request, response);
    });
  }
}
