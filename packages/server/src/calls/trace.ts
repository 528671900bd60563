import {
  context,
  type ProxyTracerProvider,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/**
 * Runs a relayed request in a span. The W3C fields `traceparent` and `tracestate` of the payload are its parent and are
 * replaced by its own for the Computer. Without an OpenTelemetry SDK in the process they pass unchanged.
 */
export function withTraceContext<P extends object, T>(
  name: string,
  payload: P,
  send: (payload: P) => Promise<T>,
): Promise<T> {
  const tracer = loadedTracer();
  if (!tracer) return send(payload);
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

/** Returns the tracer of a loaded OpenTelemetry SDK. Without one, no span is created. */
function loadedTracer(): Tracer | undefined {
  return (trace.getTracerProvider() as ProxyTracerProvider).getDelegateTracer('@a2c/server');
}
