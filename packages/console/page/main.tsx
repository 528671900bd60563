import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/views.css';
import { render } from 'preact';
import { App } from './app.js';
import { connect, connectWithNewLinks } from './state/connection.js';
import { showHiddenCharacters } from './state/visible-text.js';

showHiddenCharacters();
render(<App />, document.getElementById('app') as HTMLElement);
void connect();
connectWithNewLinks();
