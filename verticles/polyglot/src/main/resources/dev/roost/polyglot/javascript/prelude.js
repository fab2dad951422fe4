// What Java needs of the language; evaluated once in each context, before the script.
(unhandled) => {
  const { parse, stringify } = JSON;

  Graal.setUnhandledPromiseRejectionHandler((reason) => unhandled(reason));
  delete globalThis.Graal;
  // Atomics.wait would block the event loop; without threads there is nothing to share.
  delete globalThis.Atomics;
  delete globalThis.SharedArrayBuffer;

  return {
    // Calls a handler and passes on what it answers, now or when its promise is kept.
    call(handler, argument, done, failed) {
      const answer = handler(argument);
      if (typeof answer?.then === "function") {
        Promise.resolve(answer).then(done).catch(failed);
      } else {
        done(answer);
      }
    },
    // Bytes as an ArrayBuffer, anything else as JSON; undefined if JSON does not know it.
    encoded: (value) => {
      if (value instanceof ArrayBuffer) return value;
      if (!ArrayBuffer.isView(value)) return stringify(value);
      return value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
    },
    parsed: async (text) => {
      try {
        return parse(text);
      } catch (cause) {
        throw Object.assign(new SyntaxError(`the body is not JSON: ${cause.message}`), { status: 400 });
      }
    },
    promise: (executor) => new Promise(executor),
  };
};
