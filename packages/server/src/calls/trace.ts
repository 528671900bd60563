import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('@a2c/server');

/**
 * A relayed request as a span. The W3C fields `traceparent` and `tracestate` of the payload are its parent and are
 * replaced by its own on the way to the Computer. Without an OpenTelemetry SDK in the process they pass unchanged.
 */
export function withTraceContext<P extends object, T>(
  name: string,
  payload: P,
  send: (payload: P) => Promise<T>,
): Promise<T> {
  const parent = propagation.extract(context.active(), payload);
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
  if (!span.isRecording()) return send(payload);
  const traced = { ...payload };
  propagation.inject(trace.setSpan(parent, span), traced);
  return send(traced).then(
    (answer) => {
      span.end();
      return answer;
    },
    (error: Error) => {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
      span.end();
      throw error;
    },
  );
}
