/** Types for the part of autocannon that the benches use. The package has none. */
declare module 'autocannon' {
  export interface Request {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
    setupRequest?: (request: Request, context: Record<string, unknown>) => Request;
  }
  export interface Options {
    url: string;
    connections: number;
    duration?: number;
    amount?: number;
    overallRate?: number;
    timeout?: number;
    sampleInt?: number;
    excludeErrorStats?: boolean;
    requests: Request[];
    verifyBody?: (body: string) => boolean;
  }
  export interface Result {
    errors: number;
    timeouts: number;
    mismatches: number;
    non2xx: number;
    resets: number;
  }
  export interface Instance extends Promise<Result> {
    on(
      event: 'response',
      listener: (client: unknown, statusCode: number, bytes: number, responseTimeMs: number) => void,
    ): this;
  }
  export default function autocannon(options: Options): Instance;
}
