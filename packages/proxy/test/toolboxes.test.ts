import { HubToolbox } from '@a2c/proxy';
import { officeAt, serve } from './office.js';
import { hubComputer } from './test-computer.js';
import { behavesAsToolbox, workshopHub } from './toolbox-behaviour.js';

behavesAsToolbox('a hub', async () => ({ toolbox: new HubToolbox(await workshopHub()), server: 'workshop' }));

behavesAsToolbox('an office', async () => {
  const { url } = await serve();
  await hubComputer({ url }, await workshopHub());
  const toolbox = officeAt(url);
  await toolbox.settled();
  return { toolbox, server: 'pc/workshop' };
});
