import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The pipelined requests of one connection. */
interface Queue {
  last: ServerResponse;
  waiting: number;
}

/** A connection with this many pending requests is not read further. */
const MAX_WAITING = 16;

/**
 * Handles pipelined requests of one connection one after another.
 *
 * Responses must be sent in order anyway; a client that does not read them has at most one response
 * in memory, and not many more requests than the limit.
 */
export function inSequence(handler: Handler): Handler {
  const queues = new WeakMap<Socket, Queue>();
  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket);
    if (queue === undefined) queues.set(socket, openQueue(socket, response));
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
      queue.waiting -= 1;
      if (queue.waiting === MAX_WAITING - 1) socket.resume();
      if (!socket.destroyed) handler(request, response);
    });
  }
}

function openQueue(socket: Socket, last: ServerResponse): Queue {
  const queue = { last, waiting: 0 };
  // Node.js resumes reading at the end of every request, although the connection was paused.
  socket.on("resume", () => {
    if (queue.waiting >= MAX_WAITING) socket.pause();
  });
  return queue;
}
