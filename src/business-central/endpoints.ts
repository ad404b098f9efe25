/** Where Business Central is reached. Comes from the configuration only, never from what a user types. */
export interface BusinessCentralEndpoints {
  /** Origin of the API, without a slash at the end. */
  readonly apiUrl: string;
  /** Origin where tokens are asked for. */
  readonly loginUrl: string;
}

export const MICROSOFT: BusinessCentralEndpoints = {
  apiUrl: 'https://api.businesscentral.dynamics.com',
  loginUrl: 'https://login.microsoftonline.com',
};

/** What a client-credentials token is asked for (Entra ID). */
export const SCOPE = 'https://api.businesscentral.dynamics.com/.default';
