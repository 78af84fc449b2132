declare module 'virtual:scalar-url' {
  /** The address of Scalar's browser bundle. */
  const url: string;
  export default url;
}

interface Window {
  Scalar: {
    createApiReference(place: string, configuration: Record<string, unknown>): unknown;
  };
}
