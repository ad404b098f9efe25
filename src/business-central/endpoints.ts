/** Addresses of Business Central. From the configuration only, never from what a user types. */
export interface BusinessCentralEndpoints {
  /** Origin of the API, without a slash at the end. */
  readonly apiUrl: string;
  /** Origin where tokens are requested. */
  readonly loginUrl: string;
}

export const MICROSOFT: BusinessCentralEndpoints = {
  apiUrl: 'https://api.businesscentral.dynamics.com',
  loginUrl: 'https://login.microsoftonline.com',
};

/** The scope of a client-credentials token (Entra ID). */
export const SCOPE = 'https://api.businesscentral.dynamics.com/.default';
