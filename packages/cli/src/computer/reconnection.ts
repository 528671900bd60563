import type { OfficeLink } from '@a2c/computer';

/** Reports each time that a lost connection is back: in the office again, if the Computer was in one. */
export function onReconnection(link: OfficeLink, report: () => void): void {
  let isLost = false;
  let wasInOffice = false;
  const back = () => {
    if (isLost) report();
    isLost = false;
  };
  link.on('state', (state) => {
    if (state === 'connecting') isLost = true;
    else if (state === 'connected' && !wasInOffice) back();
  });
  link.on('office', (office) => {
    if (office !== null) back();
    // A lost connection takes the seat away only until the Computer has joined again.
    if (!isLost) wasInOffice = office !== null;
  });
}
